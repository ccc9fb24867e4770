-- A referrer's share that could not be booked when its quote ended. The quote has ended all the same and its funds are free;
-- the booking alone is tried again, later each time.
create table unbooked_earning (
  quote_id uuid primary key references quote (id) on delete cascade,
  -- What the quote's executed intents paid, smallest unit of its token, and its worth in millionths of a dollar.
  service_fee numeric not null check (service_fee > 0),
  service_fee_usd_micros numeric check (service_fee_usd_micros >= 0),
  attempts integer not null default 1 check (attempts > 0),
  -- Name and SQLSTATE of the newest error. The message is left out: the values in it could name addresses.
  reason text not null,
  next_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index unbooked_earning_due on unbooked_earning (next_at);
