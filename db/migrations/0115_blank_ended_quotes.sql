-- Whom a quote would have paid is nobody's business once it has ended without being submitted: neither are its terms,
-- which hold the recipient in every intent.

alter table quote alter column recipient drop not null;
update quote set recipient = null, terms = '{}', asked = '{}' where status in ('unlocked', 'expired', 'replaced');
alter table quote add constraint quote_pays_somebody
  check (recipient is not null or status in ('unlocked', 'expired', 'replaced'));
