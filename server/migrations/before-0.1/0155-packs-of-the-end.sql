-- What a pack shows after the event, as it was at its end: without names, numbers and words of plans, which are read where
-- they are kept. Null: the event runs, or ended before this migration.
alter table arrival_pack add column end_content jsonb;
grant update (end_content) on arrival_pack to evac_app;
