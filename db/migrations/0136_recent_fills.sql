-- Fills of the last hour are read for the metrics, whatever their route.
create index bridge_order_recent_fill on bridge_order (fill_seen_at) where fill_seen_at is not null;
