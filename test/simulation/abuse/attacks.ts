import type { Attack } from './attack.ts';
import { anonymousStore } from './attacks/anonymous-store.ts';
import { deepArguments } from './attacks/deep-arguments.ts';
import { deepEstimates } from './attacks/deep-estimates.ts';
import { deepMessages } from './attacks/deep-messages.ts';
import { deepResults } from './attacks/deep-results.ts';
import { endlessRequests } from './attacks/endless-requests.ts';
import { foreignOrigins } from './attacks/foreign-origins.ts';
import { forwardedPorts } from './attacks/forwarded-ports.ts';
import { hostileBags } from './attacks/hostile-bags.ts';
import { hostileBodies } from './attacks/hostile-bodies.ts';
import { hostileEmulations } from './attacks/hostile-emulations.ts';
import { idleSockets } from './attacks/idle-sockets.ts';
import { keylessCalls } from './attacks/keyless-calls.ts';
import { largeBodies } from './attacks/large-bodies.ts';
import { largePages } from './attacks/large-pages.ts';
import { longAddresses } from './attacks/long-addresses.ts';
import { longLists } from './attacks/long-lists.ts';
import { loopingBehindProxy, loopingMethods } from './attacks/looping-methods.ts';
import { malformedHttp } from './attacks/malformed-http.ts';
import { anonymousControl, directoryModes, secondServer } from './attacks/neighbours.ts';
import { oddCursors } from './attacks/odd-cursors.ts';
import { oddFields } from './attacks/odd-fields.ts';
import { oddJson } from './attacks/odd-json.ts';
import { oddParameters } from './attacks/odd-parameters.ts';
import { oddPaths } from './attacks/odd-paths.ts';
import { repeatedCells } from './attacks/repeated-cells.ts';
import { slowClients } from './attacks/slow-clients.ts';
import { endedKeys } from './attacks/sockets/ended-keys.ts';
import { messageFloods } from './attacks/sockets/message-floods.ts';
import { unfinishedMessages } from './attacks/sockets/unfinished-messages.ts';
import { specialFiles } from './attacks/special-files.ts';
import { frozenStore, killedStore, unresponsiveStore } from './attacks/store-away.ts';
import { largeSubscriptions, slowStreams, streamFlood } from './attacks/streams.ts';
import { webhookReceivers } from './attacks/webhook-receivers.ts';

/** Every attack on a running server; the one that ends it is attacks/shut-down.ts. */
export const ATTACKS: readonly Attack[] = [
  // Computations of contracts, and their input.
  deepArguments,
  deepResults,
  deepEstimates,
  deepMessages,
  hostileBags,
  hostileBodies,
  hostileEmulations,
  repeatedCells,
  loopingMethods,
  loopingBehindProxy,
  // Requests: their contents and their number.
  longAddresses,
  longLists,
  largePages,
  largeBodies,
  slowClients,
  idleSockets,
  endlessRequests,
  streamFlood,
  slowStreams,
  largeSubscriptions,
  messageFloods,
  unfinishedMessages,
  endedKeys,
  webhookReceivers,
  keylessCalls,
  forwardedPorts,
  // Input that is hardly a request.
  malformedHttp,
  oddPaths,
  oddParameters,
  oddJson,
  oddCursors,
  oddFields,
  // Others on the machine or in the browser.
  foreignOrigins,
  anonymousStore,
  anonymousControl,
  directoryModes,
  secondServer,
  specialFiles,
  // The store goes away and comes back.
  unresponsiveStore,
  frozenStore,
  killedStore,
];
