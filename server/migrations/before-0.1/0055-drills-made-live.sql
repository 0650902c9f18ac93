-- A drill that became a live event.

alter table event
  add column live_from timestamptz,
  add column live_by_person_uid uuid,
  -- steady time: nothing that was observed before it makes anybody safe. null: began_at
  add column counts_from timestamptz;
alter table evacuee
  -- what the drill knew of the person, and when it was recorded
  add column drill_status text check (drill_status in ('safe', 'unknown', 'danger')),
  add column drill_status_at timestamptz,
  -- steady time, as counts_from: a record that waited for this row knows it only from here
  add column set_back_at timestamptz;
-- 'I understand'
alter table warden_sign_in add column live_seen_at timestamptz;
