-- Records go to a topic that one of their headers says; nobody looks into the records themselves.
-- Key, value, headers and time pass through as they came, byte for byte.
--
--   millrace run routing.sql --set SERVERS=127.0.0.1:9092
--
-- Topics events, orders, payments and unrouted exist.

CREATE TABLE events (value bytea)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'events', format = 'raw',
        starting_offsets = 'earliest');

CREATE TABLE routed ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', format = 'raw',
        topic_column = 'route', value_column = 'value');

SET checkpoint_location = 'chk';
SET trigger = 'real_time 100 ms';

-- A header may be there twice, and the first counts; it may be null, and it may be missing.
-- Compared as bytes, so that one that is no text fails nothing.
INSERT INTO routed
  SELECT value,
         CASE kind WHEN encode('order', 'UTF-8') THEN 'orders'
                   WHEN encode('payment', 'UTF-8') THEN 'payments'
                   ELSE 'unrouted' END AS route
  FROM (SELECT value,
               element_at(field(headers, 'value'),
                          nullif(array_position(field(headers, 'key'), 'kind'), 0)) AS kind
        FROM events) e;
