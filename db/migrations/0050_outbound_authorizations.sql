-- EIP-7702: delegations that an outgoing transaction carries along, as [{contractAddress, chainId, authorizationNonce,
-- signature}]. Null for a plain transaction, and erased together with the calldata.
alter table outbound_tx add column authorizations jsonb
  check (jsonb_typeof(authorizations) = 'array' and jsonb_array_length(authorizations) > 0);
