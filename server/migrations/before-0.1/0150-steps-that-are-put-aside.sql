-- first steps that an organisation does not need, by their names in the call
alter table client add column steps_aside text[] not null default '{}';
