/** BCP 47 tags of the languages that the pages have. */
export const PAGE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt-BR', 'pl', 'ja', 'ar'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];
