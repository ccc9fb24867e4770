-- An account that was created with the invite code for which a name is kept may claim the name without giving the code again.

alter table subdomain_reservation
  add column account_id uuid references account (id) on delete set null;

create index subdomain_reservation_code on subdomain_reservation (invite_code_hash);
