-- 'others' reads without a name when a pack has its readers, 'printed' is the phone that prints it: one of each a pack
alter table arrival_pack_reader add column kind text not null default 'own' check (kind in ('own', 'others', 'printed'));
-- a digest with a key: it tells no address, only that two readers are of one home
alter table arrival_pack_reader add column home bytea;
-- another reader took the place, and the reader's own address opens no more
alter table arrival_pack_reader add column gave_way_at timestamptz;
grant update (gave_way_at) on arrival_pack_reader to evac_app;
grant update (home) on arrival_pack_reader to evac_system;
