-- Every event is a drill or live. Events of earlier releases are live.

alter table event_type add column default_kind text not null default 'live' check (default_kind in ('live', 'drill'));
update event_type set default_kind = 'drill' where type ~* '\m(drill|exercise)\M';

alter table event add column kind text not null default 'live' check (kind in ('live', 'drill'));
-- People were told before. null: the event began live.
alter table event add column announced boolean;
