-- What it is: a keyed hash, no secret that is wrapped again with a new master key.
alter table spent_offer rename column mark to signer_hash;
