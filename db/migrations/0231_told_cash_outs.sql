-- What a quote told of earlier cash-outs to its payee: one that was made since links the addresses of both in public.

alter table cash_payee add column told_cash_outs int not null default 0;
comment on column cash_payee.told_cash_outs is
  'Cash-outs of the account to the same payee of which the quote told; none for quotes from before it was kept.';
