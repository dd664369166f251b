/**
 * What an answer other than 200 is: {@link poot.serve.fault.ApiFault} names every refusal and failure,
 * {@link poot.serve.fault.ErrorAnswer} is the one place that turns each into a status and the error object of the API.
 * In: faults of the engine, of text, of requests. Out: status, type, code, parameter, message. Not here: HTTP.
 */
package poot.serve.fault;
