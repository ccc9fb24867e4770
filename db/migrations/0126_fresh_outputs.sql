-- An address that was made for what one quote gives is that of no other. Quotes that ended without being submitted have
-- forgotten theirs, and leave it to the next.
create unique index quote_fresh_output on quote (recipient) where asked -> 'details' ->> 'isOutputFresh' = 'true';
