-- The recipient of a relay is not kept: it would stand beside the request that this service relayed. One of ours is in a
-- transfer of the same transaction.
update pool_event set account = null where kind = 'relay';
alter table pool_event add constraint pool_event_relay_recipient check (kind <> 'relay' or account is null);
