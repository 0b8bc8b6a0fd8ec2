-- The job that bench/latency measures; every ${NAME} is set by the program that runs it.
CREATE TABLE clicks (ts bigint, seq bigint, user_id int, event_type text, price double precision, qty int, symbol text, note text)
  WITH (connector = 'kafka', bootstrap_servers = '${BOOTSTRAP_SERVERS}', topic = '${CLICKS}', format = 'json', starting_offsets = '${STARTING_OFFSETS}');
CREATE TABLE users (user_id int, country text, tier int) WITH (connector = 'file', path = '${USERS}', format = 'csv', header = 'true');
CREATE TABLE enriched () WITH (connector = 'kafka', bootstrap_servers = '${BOOTSTRAP_SERVERS}', topic = '${ENRICHED}', format = 'json', exactly_once = '${EXACTLY_ONCE}');
SET checkpoint_location = '${CHECKPOINT}';
SET trigger = '${TRIGGER}';
INSERT INTO enriched
  SELECT c.*, u.country, u.tier FROM clicks c JOIN users u ON c.user_id = u.user_id WHERE c.event_type <> 'purchase';
