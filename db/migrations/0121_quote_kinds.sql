-- The kinds of quotes. A new kind adds its name here by a migration of its own.
create table quote_kind (name text primary key);
insert into quote_kind (name) values ('send');

alter table quote drop constraint quote_kind_check;
alter table quote add constraint quote_of_kind foreign key (kind) references quote_kind (name);
