-- The least that the recipient of an exchange gets: it stands in the signed calls. Quotes of before were exchanged one for one.

alter table quote add column output_minimum numeric(78, 0) check (output_minimum > 0);
update quote set output_minimum = output_amount where output_amount is not null;
alter table quote
  add constraint quote_minimum_whole check ((output_minimum is null) = (output_amount is null)),
  add constraint quote_minimum_within check (output_minimum <= output_amount);
