/** The types of mongodb-server.mjs, for the tests. */

export declare const NO_MONGODB: string;

export interface TestMongodb {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export declare function findMongodb(say?: (line: string) => void): Promise<TestMongodb | null>;
export declare function provideMongodb(say?: (line: string) => void): Promise<() => Promise<void>>;
