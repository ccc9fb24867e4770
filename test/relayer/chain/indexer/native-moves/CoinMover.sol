// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

enum Kind {
    Call,
    CallCode,
    DelegateCall,
    StaticCall,
    Create,
    Create2,
    SelfDestruct,
    Revert
}

struct Step {
    Kind kind;
    address to;
    uint256 value;
    /// 0 for all there is.
    uint256 gasLimit;
    /// Of a call its input, of a creation its code.
    bytes data;
}

/// Executes the steps in order; a step that fails changes nothing for the next ones.
contract CoinMover {
    constructor(Step[] memory steps) payable {
        for (uint256 i = 0; i < steps.length; ++i) take(steps[i]);
    }

    receive() external payable {}

    function run(Step[] calldata steps) external payable {
        for (uint256 i = 0; i < steps.length; ++i) take(steps[i]);
    }

    function take(Step memory step) private {
        (address to, uint256 value, bytes memory data) = (step.to, step.value, step.data);
        uint256 limit = step.gasLimit == 0 ? gasleft() : step.gasLimit;
        Kind kind = step.kind;
        if (kind == Kind.Revert) revert("as told");
        if (kind == Kind.SelfDestruct) selfdestruct(payable(to));
        assembly {
            let from := add(data, 32)
            let size := mload(data)
            switch kind
            case 0 { pop(call(limit, to, value, from, size, 0, 0)) }
            case 1 { pop(callcode(limit, to, value, from, size, 0, 0)) }
            case 2 { pop(delegatecall(limit, to, from, size, 0, 0)) }
            case 3 { pop(staticcall(limit, to, from, size, 0, 0)) }
            case 4 { pop(create(value, from, size)) }
            case 5 { pop(create2(value, from, size, 7)) }
        }
    }
}
