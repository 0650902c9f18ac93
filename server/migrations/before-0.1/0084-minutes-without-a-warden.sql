-- After so many minutes without a warden, event managers are told of a floor.
alter table client add column coverage_minutes integer not null default 3 check (coverage_minutes between 1 and 30);
