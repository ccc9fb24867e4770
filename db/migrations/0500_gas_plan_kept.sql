-- Planning unpaid_gas takes longer than running it, and it runs for each transaction under the chain's lock. So each session plans
-- once, also behind a pooler, where sessions do not ask for generic plans.
alter function fitting_gas(bigint, jsonb, jsonb, integer, boolean) set plan_cache_mode = force_generic_plan;
