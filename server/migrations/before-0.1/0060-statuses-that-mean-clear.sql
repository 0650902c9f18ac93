-- Clear times count from a floor status that means clear.

alter table floor_status add column means_clear boolean not null default false;
update floor_status set means_clear = true where lower(btrim(name)) in ('evacuated', 'clear', 'cleared');
