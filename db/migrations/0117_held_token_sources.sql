-- What was learnt because an account holds a token, apart from what somebody looked up: when, and that, the first was learnt
-- is nobody's business. Of older rows nobody knows which they are.

create table held_token_source (like token_source including all);
insert into held_token_source select * from token_source;
delete from token_source;
