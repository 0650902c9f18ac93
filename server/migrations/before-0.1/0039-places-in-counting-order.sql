-- Sites, buildings and floors are listed as people count: Level 2 before Level 10. The columns carry the order, so that
-- no statement that sorts by them can forget it.
create collation places (provider = icu, locale = 'und-u-kn');
alter table site alter column name type text collate places;
alter table building alter column name type text collate places;
alter table floor alter column name type text collate places;
