-- Transactions that waited long are looked at again before they are signed or offered again.

alter table outbound_tx
  -- When a queued transaction was last found fit to be sent.
  add column reviewed_at timestamptz,
  -- Why it can only fail by now. Its next form is a transfer of nothing under the same nonce; the forms before still stand,
  -- so the call stays as it is.
  add column pointless text,
  add column pointless_at timestamptz,
  add constraint outbound_tx_pointless check ((pointless is null) = (pointless_at is null));
