-- Exchanges of one token for another.
insert into quote_kind (name) values ('swap');
