/** The media type of every answer of JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';
