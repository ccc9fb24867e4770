-- Descriptors (ERC-7730) that say what a call or a message means, as they were imported from registries.

create table clear_signing_snapshot (
  id bigint generated always as identity primary key,
  -- The registry's name, as the operator calls it.
  registry text not null,
  -- merged: of a registry. pull_request: proposed to it. local: the operator's own.
  status text not null check (status in ('merged', 'pull_request', 'local')),
  pull_request integer,
  -- Where the registry is, without a slash at the end; null where it is nowhere.
  repository text,
  commit text,
  -- SHA-256 over the paths and hashes of the files that were read.
  content_hash bytea not null,
  imported_at timestamptz not null default now(),
  active boolean not null default false,
  check ((status = 'pull_request') = (pull_request is not null)),
  check (status = 'local' or (repository is not null and commit is not null))
);
-- An import replaces what was active in its place: the registry, one proposal, or the operator's own.
create unique index on clear_signing_snapshot (status, coalesce(pull_request, 0)) where active;

create table clear_signing_descriptor (
  id bigint generated always as identity primary key,
  snapshot_id bigint not null references clear_signing_snapshot on delete cascade,
  path text not null,
  kind text not null check (kind in ('calldata', 'eip712')),
  -- The standard that the file describes, for contracts that no file names.
  standard text check (standard in ('erc20', 'erc721', 'erc2612')),
  -- Canonical JSON (RFC 8785), with what it includes merged.
  document text not null,
  -- keccak256 of the document's UTF-8.
  document_hash bytea not null,
  -- What it formats: [{key, signature, hash}], hash being the keccak256 of the signature or of the type.
  formats jsonb not null,
  unique (snapshot_id, path)
);
