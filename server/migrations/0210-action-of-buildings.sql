-- What people do in an event: leave, as in every event before, or something else. It belongs to the building.

alter table event_type
  add column action text not null default 'evacuate'
    check (action in ('evacuate', 'move', 'shelter', 'hold', 'secure', 'lockdown')),
  add column action_where text not null default '' check (length(action_where) <= 60);

alter table event_building
  add column action text not null default 'evacuate'
    check (action in ('evacuate', 'move', 'shelter', 'hold', 'secure', 'lockdown', 'release')),
  -- the place that people go to
  add column action_where text not null default '' check (length(action_where) <= 60),
  -- null: since the building joined the event
  add column action_from timestamptz,
  -- null: since the start, or since the building was added
  add column action_by_person_uid uuid,
  -- what a release ends
  add column action_before text;

-- the newest change of an action in the event, which the next change names
alter table event add column action_change_uid uuid;

-- null: of all actions in which people leave
alter table floor_status
  add column action text check (action in ('shelter', 'hold', 'secure', 'lockdown', 'release'));

alter table instruction drop constraint instruction_kind_check;
alter table instruction add constraint instruction_kind_check check (kind in ('evacuate', 'stay', 'prepare', 'all_clear',
  're_entry', 'recheck', 'move', 'shelter', 'hold', 'secure', 'lockdown', 'release'));
