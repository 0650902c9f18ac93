-- What an empty database gets otherwise since 0200-baseline.

-- The two roles were given rights on all tables of the first files, the list of migrations among them.
revoke all on kysely_migration, kysely_migration_lock from evac_app, evac_system;
-- It was added unread; no row can break it by now.
alter table person validate constraint person_merged_into;
-- No index has used it since 0022. An administrator may have made it, or an older copy of the data may need it.
do $$
begin
  drop extension if exists btree_gin;
exception when insufficient_privilege or dependent_objects_still_exist then
  raise notice 'the extension btree_gin stays: %', sqlerrm;
end $$;
