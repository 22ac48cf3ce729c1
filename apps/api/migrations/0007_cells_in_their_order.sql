-- The cells of a sheet's bad row are given back as the person's own table, so its columns have to keep their order.
-- jsonb sorts them by length; json keeps them as they came.
ALTER TABLE transfers ALTER COLUMN sheet_cells TYPE json;
