-- The name as people say it: first and last name, or the one that there is. PostgreSQL 18 reckons it when it is read, so no
-- table of people is rewritten; an older one keeps it.
do $$
begin
  execute 'alter table person add column name text not null generated always as (btrim(first_name || '' '' || last_name)) '
    || case when current_setting('server_version_num')::int < 180000 then 'stored' else 'virtual' end;
end $$;
