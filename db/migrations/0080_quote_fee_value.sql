-- What a quote's service fee was worth when it was signed, in millionths of a dollar, for the referrer's share; null for a
-- token without a price.
alter table quote add column service_fee_usd_micros numeric(78, 0);
