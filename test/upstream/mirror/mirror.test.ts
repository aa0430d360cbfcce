import { openStorage } from '../../../src/storage/open.ts';
import { mirrorSuite } from './mirror-suite.ts';

mirrorSuite('sqlite', () => openStorage('sqlite::memory:', { timeoutMs: 1_000 }));
