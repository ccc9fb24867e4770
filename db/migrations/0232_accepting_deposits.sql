-- Whether buyers can take of a deposit: a seller, or a withdrawal that leaves too little, ends that without closing it.

alter table cash_order add column accepts_buyers boolean not null default false;
comment on column cash_order.accepts_buyers is
  'The escrow has the deposit and takes buyers for it. Orders from before this was kept are reviewed anew, and then say it.';
