/** After all tests: stops the MongoDB server that was started for them. */

import { stopMongodb } from './mongodb.ts';

export default stopMongodb;
