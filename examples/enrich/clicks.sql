-- Clicks without purchases, each with the country and tier of its user: the job of the README.
--
--   millrace run clicks.sql --set SERVERS=127.0.0.1:9092
--
-- Topics clicks and enriched exist; users.csv lies beside this file.

CREATE TABLE clicks (ts bigint, seq bigint, user_id int, event_type text, price double precision, qty int, symbol text, note text)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'clicks', format = 'json',
        starting_offsets = 'latest');

CREATE TABLE users (user_id int, country text, tier int)
  WITH (connector = 'file', path = 'users.csv', format = 'csv', header = 'true');

CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'enriched', format = 'json');

SET checkpoint_location = 'chk';
SET trigger = 'real_time 5 seconds';

INSERT INTO enriched
  SELECT c.*, u.country, u.tier
  FROM clicks c JOIN users u ON c.user_id = u.user_id
  WHERE c.event_type <> 'purchase';
