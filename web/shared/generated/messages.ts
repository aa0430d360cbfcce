/** By key, the names of its placeholders. From web/shared/languages/en.json. */
export interface SharedMessages {
  'action.retry': never;
  'download.forExcel': 'format';
  'download.purpose.csv': never;
  'download.purpose.excel': never;
  'download.purpose.geojson': never;
  'download.purpose.gpx': never;
  'download.purpose.kml': never;
  'download.purpose.ndjson': never;
  'download.purpose.xlsx': never;
  'error.busy': never;
  'error.network': never;
  'error.rateLimited': 'count';
  'error.unexpected': never;
  'legend.others': never;
  'list.separator': never;
  'locations.count': 'count';
  'map.addresses': never;
  'map.canvas': 'name';
  'map.data': never;
  'map.label': never;
  'map.showAll': never;
  'map.skipMarkers': never;
  'map.zoomIn': never;
  'map.zoomOut': never;
}
