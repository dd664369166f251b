package poot.core.engine;

import poot.api.driver.CacheUse;

/**
 * Where an engine stands: counts as of the last step.
 *
 * @param ready     whether it takes requests
 * @param draining  whether it finishes what it has and takes nothing new
 * @param running   requests with a row
 * @param suspended of those, requests that wait for blocks: theirs were taken back, or they have had none
 * @param waiting   requests that wait for a row
 * @param encoding  rows that wait to be encoded
 * @param cache     what the memory of keys and values is used for
 * @param totals    since the start
 */
public record EngineStatus(boolean ready, boolean draining, int running, int suspended, int waiting, int encoding,
        CacheUse cache, EngineTotals totals) {}
