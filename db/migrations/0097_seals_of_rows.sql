-- What lets somebody into an account is sealed: a MAC under a key that the database does not have.

-- Keys of earlier versions have none, and are refused until the operator vouches for them. A revoked one loses its own.
alter table api_key
  add column seal bytea,
  -- The master key that the MAC's key is derived from.
  add column master_key_id text,
  add check ((seal is null) = (master_key_id is null));

-- Its master_key_id, which the sealed wallet has, is the seal's too. Codes of earlier versions end with their five minutes.
alter table oauth_code add column seal bytea;
