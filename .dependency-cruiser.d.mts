export const LAYERS: readonly (readonly [folder: string, allowed: readonly string[]])[];

declare const configuration: object;
export default configuration;
