-- Functions and errors that selectors may name, beside those that the service brings along. Filled by
-- `npm run admin -- signatures import` and by the answers of a signature server. There is no key: an import sorts and
-- removes doubles, which takes a third less space and a fifth of the time.

create table function_signature (
  -- The four bytes as a signed number.
  selector int4 not null,
  signature text not null,
  -- 2: of a contract whose source was verified; 3: reported by anybody.
  source int2 not null check (source in (2, 3))
);
create index function_signature_selector on function_signature (selector);
