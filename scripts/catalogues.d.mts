import type { Plugin } from 'vite';

export type Text = string | Readonly<Record<string, string>>;

export function cataloguesPlugin(): Plugin;
export function placeholdersOf(text: Text): string[];
