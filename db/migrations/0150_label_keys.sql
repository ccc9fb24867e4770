-- Tags with one label have equal keys, which clients make of the label with a key of their own. The service sees which tags
-- are equal, never what they say.
alter table address_tag add column label_key text check (length(label_key) between 16 and 128);
