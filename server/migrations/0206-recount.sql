-- Records of version 1 are counted again by the rules of today. What was found differs: the figures, without persons.
alter table event_record add recount jsonb;
-- When that was done, whether anything differed or not.
alter table event_record add recounted_at timestamptz;
create index event_record_to_recount on event_record (ended_at) where recounted_at is null and state = 'ready';

alter table record_entry drop constraint record_entry_kind_check;
alter table record_entry add constraint record_entry_kind_check check (kind in ('fact', 'outcome', 'observation', 'checklist',
  'action', 'action_step', 'correction', 'sign_off', 'names_reason', 'hold', 'recount'));
