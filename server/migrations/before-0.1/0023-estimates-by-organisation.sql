-- A policy that the planner can read at planning time says "one organisation of many", and each statement's own
-- client_uid says it again: multiplied, the planner took the rows of a small organisation for one, and walked them all
-- where it should have looked a few up. Asked by a subquery, the policy is no such estimate.
do $$
declare own record;
begin
  for own in
    select tablename as name, case tablename when 'client' then 'uid' else 'client_uid' end as client
    from pg_policies where schemaname = current_schema() and policyname = 'own_clients'
  loop
    execute format(
      'alter policy own_clients on %I using (%I = any ((select string_to_array(nullif(current_setting(''app.clients'', true), ''''), '','')::uuid[])::uuid[]))',
      own.name, own.client);
  end loop;
end $$;

-- a place is of one event, an event of one organisation: neither makes the rows of the other fewer
create statistics evacuee_place (dependencies) on client_uid, event_uid, place_uid from evacuee;
analyze evacuee;
