// Starts the engine. The page loads this script first, so that the engine starts while the others are
// on their way.

import { Engine } from './engine.js';

export const engine = new Engine();
