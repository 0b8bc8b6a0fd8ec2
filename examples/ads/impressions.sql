-- Ad impressions with their campaign, and what each one earned. Records that are broken, or that no
-- price can be computed for, go to a topic of their own and stop nothing.
--
--   millrace run impressions.sql --set SERVERS=127.0.0.1:9092
--
-- Topics impressions and impressions_bad exist; campaigns.jsonl is read anew when it changes.

CREATE TABLE impressions (id bigint, campaign int, clicks int, shown int, cost_micros bigint)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'impressions', format = 'json',
        starting_offsets = 'earliest',
        on_bad_record = 'dead_letter', dead_letter_topic = 'impressions_bad');

CREATE TABLE campaigns (campaign int, advertiser text, rate_micros bigint)
  WITH (connector = 'file', path = 'campaigns.jsonl', format = 'json', reload = '1 second');

CREATE TABLE earnings ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'earnings', format = 'csv',
        create_topics = 'true');

SET checkpoint_location = 'chk';
SET trigger = 'real_time 100 ms';

-- shown is 0 where a counter was lost: that impression has no rate, and becomes a dead letter.
INSERT INTO earnings
  SELECT i.id, c.advertiser, i.clicks * c.rate_micros - i.cost_micros AS earned_micros,
         i.clicks * 1000 / i.shown AS clicks_per_mille
  FROM impressions i JOIN campaigns c ON i.campaign = c.campaign;
