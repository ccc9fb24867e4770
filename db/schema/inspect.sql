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

-- Which contract's calls and messages a descriptor is about. Within one import no two descriptors say the same of one.
create table clear_signing_binding (
  snapshot_id bigint not null references clear_signing_snapshot on delete cascade,
  kind text not null check (kind in ('calldata', 'eip712')),
  chain_id bigint not null,
  address text not null,
  -- keccak256 of the function's signature, whose first 4 bytes are the selector, or of the type.
  format_hash bytea not null,
  descriptor_id bigint not null references clear_signing_descriptor on delete cascade,
  primary key (snapshot_id, kind, chain_id, address, format_hash)
);
create index on clear_signing_binding (descriptor_id);
