/** The thread of a log whose values have no other form in sealed files. */
import { runLogThread } from './log-thread.ts';

runLogThread(null);
